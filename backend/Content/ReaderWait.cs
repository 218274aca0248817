namespace NzbDav.Content;

/// <summary>A long wait of a reader that is over: a stutter that the viewer may have noticed.</summary>
/// <param name="Segment">The segment waited for, by its index in the file's <see cref="ExtentMap"/>; −1: the file has none, and the story names the piece.</param>
/// <param name="Waited">How long.</param>
/// <param name="Story">Which sources were asked, with what result and how long it took, as text; null: not known.</param>
public sealed record ReaderWait(int Segment, TimeSpan Waited, string? Story)
{
    /// <summary>Shorter waits are covered by the player's buffer and are not reported.</summary>
    public static readonly TimeSpan Least = TimeSpan.FromSeconds(1);
}
