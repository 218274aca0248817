using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>A file whose first bytes could not be read, so that its kind is unknown.</summary>
/// <param name="Volume">Index into the list of files.</param>
/// <param name="Fault">The fault, which shows whether a later attempt may succeed.</param>
/// <param name="Text">What went wrong, for the user.</param>
public sealed record UnreadableFile(int Volume, ContentFault Fault, string Text);
