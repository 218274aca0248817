using NzbDav.Import.Intake;

namespace NzbDav.Api.Forms;

/// <summary>A file of a form.</summary>
/// <param name="Name">The name given by the client.</param>
/// <param name="Content">The received bytes; owned by the form.</param>
internal sealed record SentFile(string Name, IntakeFile Content);

/// <summary>
/// The content of a call's form. If a name occurs several times, its first value counts; case is ignored. Owns the files.
/// </summary>
internal class CallForm : IAsyncDisposable
{
    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<SentFile> _files = [];

    /// <summary>The values by name.</summary>
    public IReadOnlyDictionary<string, string> Values => _values;

    /// <summary>In the order in which they were sent.</summary>
    public IReadOnlyList<SentFile> Files => _files;

    /// <summary>Null when it is absent.</summary>
    public string? Value(string name) => _values.GetValueOrDefault(name);

    public void Add(string name, string value) => _values.TryAdd(name, value);

    public void Add(SentFile file) => _files.Add(file);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var file in _files)
            await file.Content.DisposeAsync();
        _files.Clear();
    }
}
