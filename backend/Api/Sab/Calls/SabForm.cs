using NzbDav.Api.Forms;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Calls;

/// <summary>The content of a call's form, with at most one file. Owns the file.</summary>
internal sealed class SabForm : CallForm
{
    /// <summary>The file; null: none, or none that the caller may add.</summary>
    public IntakeFile? File => Files is [var file] ? file.Content : null;

    /// <summary>The file's name, as given by the client.</summary>
    public string FileName => Files is [var file] ? file.Name : "";

    /// <summary>How well the name of the file's part matches SABnzbd's, see <see cref="RankOf"/>; 0: there is no file.</summary>
    public int FileRank { get; private set; }

    /// <summary>Makes a part of this rank the form's file, and disposes the previous one.</summary>
    public async ValueTask KeepAsync(int rank, string fileName, IntakeFile file)
    {
        await DisposeAsync();
        FileRank = rank;
        Add(new SentFile(fileName, file));
    }

    /// <summary>
    /// SABnzbd uses the part called <c>name</c>, otherwise <c>nzbfile</c>, otherwise the first file. Of parts with the same rank the first counts.
    /// </summary>
    public static int RankOf(string partName) => partName.ToUpperInvariant() switch { "NAME" => 3, "NZBFILE" => 2, _ => 1 };
}
