namespace NzbDav.Content;

/// <summary>A long wait of a reader that is over: what a person saw as a stutter.</summary>
/// <param name="Segment">The segment that was waited for, by its index in the file's <see cref="ExtentMap"/>; −1: the file has none, and the story names the piece.</param>
/// <param name="Waited">How long.</param>
/// <param name="Story">Who was asked for it, what came of that and how long it took, in words; null: not known.</param>
public sealed record ReaderWait(int Segment, TimeSpan Waited, string? Story)
{
    /// <summary>Shorter waits are covered by what a player has buffered, and are not told.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromSeconds(1);
}
