namespace NzbDav.Documents.Tests;

/// <summary>A code block.</summary>
/// <param name="Language">The language after the fence; empty without one.</param>
/// <param name="Text">Its content.</param>
/// <param name="Line">The line of its first line of code.</param>
internal sealed record Sample(string Language, string Text, int Line);
