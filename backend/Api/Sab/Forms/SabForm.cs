using NzbDav.Import.Intake;

namespace NzbDav.Api.Sab.Forms;

/// <summary>The content of a call's form: the first value of each name, ignoring case, and at most one file. Owns the file.</summary>
internal sealed class SabForm : IAsyncDisposable
{
    /// <summary>Most values and files in one form; ASP.NET Core has the same limit.</summary>
    public const int MostParts = 1_024;

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private int _parts;

    /// <summary>The file; null: none, or none that the caller may add.</summary>
    public IntakeFile? File { get; private set; }

    /// <summary>The file's name, as given by the client.</summary>
    public string FileName { get; private set; } = "";

    /// <summary>How well the name of the file's part matches SABnzbd's, see <see cref="RankOf"/>; 0: there is no file.</summary>
    public int FileRank { get; private set; }

    /// <summary>Null when it is absent.</summary>
    public string? Value(string name) => _values.GetValueOrDefault(name);

    public void Add(string name, string value) => _values.TryAdd(name, value);

    /// <summary>Counts a part of the form.</summary>
    /// <exception cref="InvalidDataException">There are too many.</exception>
    public void CountPart()
    {
        if (++_parts > MostParts)
            throw new InvalidDataException($"The form has more than {MostParts} parts.");
    }

    /// <summary>Makes a part of this rank the form's file, and disposes the previous one.</summary>
    public async ValueTask KeepAsync(int rank, string fileName, IntakeFile file)
    {
        await DisposeAsync();
        (FileRank, FileName, File) = (rank, fileName, file);
    }

    /// <summary>
    /// SABnzbd uses the part called <c>name</c>, otherwise <c>nzbfile</c>, otherwise the first file. Of parts with the same rank the first counts.
    /// </summary>
    public static int RankOf(string partName) => partName.ToUpperInvariant() switch { "NAME" => 3, "NZBFILE" => 2, _ => 1 };

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (File is { } file)
            await file.DisposeAsync();
        (FileRank, FileName, File) = (0, "", null);
    }
}
