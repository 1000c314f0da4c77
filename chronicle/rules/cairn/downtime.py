"""x"""
MOVES=()
