using NzbDav.Import.Names;
using NzbDav.Import.Probing;

namespace NzbDav.Import.Steps;

/// <summary>A posted file and its name.</summary>
/// <param name="File">The posted file, with the place of its bytes.</param>
/// <param name="Path">Folders and name, all made safe; folders only if the recovery data have them. Not yet unique.</param>
/// <param name="Certain">True if recovery data identified the file by its bytes; false for a name that the poster wrote.</param>
internal sealed record NamedFile(ProbedFile File, IReadOnlyList<string> Path, bool Certain)
{
    public string Name => Path[^1];

    /// <summary>Type and extension by its first bytes.</summary>
    public (FileType Type, string Extension) Signature { get; } = FileSignature.Of(File.Head.Span);
}
