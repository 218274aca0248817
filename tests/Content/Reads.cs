namespace NzbDav.Content.Tests;

internal static class Reads
{
    /// <summary>The exception of the next read.</summary>
    public static Task<ContentException> FailsAsync(ContentReader reader) =>
        Assert.ThrowsAsync<ContentException>(async () => (await reader.NextAsync(CancellationToken.None)).Dispose());
}
