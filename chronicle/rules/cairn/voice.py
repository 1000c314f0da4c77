"""x"""
VOICE={}
