namespace NzbDav.Import;

/// <summary>A posted file and what it is called.</summary>
/// <param name="File">Where its bytes are.</param>
/// <param name="Path">Folders and name, all made safe; more than one only where recovery data tell folders. Not yet unique.</param>
/// <param name="Certain">True when recovery data told the name by the file's own bytes; false for what posters write.</param>
internal sealed record NamedFile(ProbedFile File, IReadOnlyList<string> Path, bool Certain)
{
    public string Name => Path[^1];

    /// <summary>MD5 of its first 16 KiB, as recovery data tell it; empty when they do not.</summary>
    public ReadOnlyMemory<byte> HeadHash { get; init; }

    /// <summary>What its first bytes say it is.</summary>
    public (FileType Type, string Extension) Signature { get; } = FileSignature.Of(File.Head.Span);
}
