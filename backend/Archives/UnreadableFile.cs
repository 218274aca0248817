using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>A file whose first bytes could not be had, so that nobody knows what it is.</summary>
/// <param name="Volume">Index into the list of files.</param>
/// <param name="Fault">Whether trying later may help.</param>
/// <param name="Text">What went wrong, for people.</param>
public sealed record UnreadableFile(int Volume, ContentFault Fault, string Text);
