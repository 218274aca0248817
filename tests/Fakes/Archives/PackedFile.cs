namespace NzbDav.Fakes.Archives;

/// <summary>A file or folder to be put into an archive.</summary>
/// <param name="Path">With '/' between names.</param>
/// <param name="Bytes">Null for a folder.</param>
public sealed record PackedFile(string Path, byte[]? Bytes)
{
    /// <summary>Whole seconds, UTC.</summary>
    public DateTimeOffset Modified { get; init; } = DateTimeOffset.FromUnixTimeSeconds(1_600_000_000);

    /// <summary>RAR's method number to claim: 0 stored. Another one makes an archive that no program unpacks.</summary>
    public int Method { get; init; }
}
