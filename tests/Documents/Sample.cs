namespace NzbDav.Documents.Tests;

/// <summary>A block of code.</summary>
/// <param name="Language">As written behind the fence; empty without one.</param>
/// <param name="Text">What stands in it.</param>
/// <param name="Line">The line of its first line of code.</param>
internal sealed record Sample(string Language, string Text, int Line);
