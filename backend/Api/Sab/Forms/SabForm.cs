using NzbDav.Import;

namespace NzbDav.Api.Sab;

/// <summary>What a call's form held: the first value of each name, in any case, and at most one file. Owns the file.</summary>
internal sealed class SabForm : IAsyncDisposable
{
    /// <summary>Most values and files in one form, as ASP.NET Core's own limit.</summary>
    public const int MostParts = 1_024;

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private int _parts;

    /// <summary>The file; null: none, or none that the caller may bring.</summary>
    public IntakeFile? File { get; private set; }

    /// <summary>The name that the client gave the file.</summary>
    public string FileName { get; private set; } = "";

    /// <summary>How closely the file's part is named as SABnzbd wants it; 0: there is no file.</summary>
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

    /// <summary>The part of this rank is the form's file now; the former one goes.</summary>
    public async ValueTask KeepAsync(int rank, string fileName, IntakeFile file)
    {
        await DisposeAsync();
        (FileRank, FileName, File) = (rank, fileName, file);
    }

    /// <summary>
    /// SABnzbd takes the part called <c>name</c>, else <c>nzbfile</c>, else whichever comes first. Of parts with one rank the first counts.
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
