using NzbDav.Import.Intake;

namespace NzbDav.Api.QBittorrent.Routing;

/// <summary>The content of a call's form. If a name occurs several times, its first value counts. Owns the files.</summary>
internal sealed class QbitForm : IAsyncDisposable
{
    /// <summary>Most values and files in one form; ASP.NET Core has the same limit.</summary>
    public const int MostParts = 1_024;

    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<QbitFile> _files = [];
    private int _parts;

    /// <summary>In the order in which they were sent.</summary>
    public IReadOnlyList<QbitFile> Files => _files;

    /// <summary>Null when it is absent.</summary>
    public string? Value(string name) => _values.GetValueOrDefault(name);

    public void Add(string name, string value)
    {
        Count();
        _values.TryAdd(name, value);
    }

    public void Add(string fileName, IntakeFile content)
    {
        _files.Add(new QbitFile(fileName, content));
        Count();
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var file in _files)
            await file.Content.DisposeAsync();
        _files.Clear();
    }

    private void Count()
    {
        if (++_parts > MostParts)
            throw new InvalidDataException($"The form has more than {MostParts} parts.");
    }
}
