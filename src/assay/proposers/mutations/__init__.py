"""Edits of a syntax tree, one file a family. Each family lists the sites of a source where it could change something.

The tree says where to cut and the text is cut there, so comments and layout stay as their author left them.
"""
