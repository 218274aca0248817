namespace NzbDav.Documents.Tests;

/// <summary>A part of a page and its line.</summary>
internal sealed record Piece(string Text, int Line);
