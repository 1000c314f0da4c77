"""The live handle, tried as a table would."""
