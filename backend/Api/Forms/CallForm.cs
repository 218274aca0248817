using NzbDav.Access.Keys;
using NzbDav.Import.Intake;

namespace NzbDav.Api.Forms;

/// <summary>A file of a form.</summary>
/// <param name="Name">The name given by the client.</param>
/// <param name="Content">The received bytes; owned by the form.</param>
internal sealed record SentFile(string Name, IntakeFile Content);

/// <summary>
/// The content of a call's form, and what its caller may send. If a name occurs several times, its first value counts; case is ignored.
/// Owns the files.
/// </summary>
/// <param name="rights">What the caller may do. Files are kept only for callers who may add jobs.</param>
internal class CallForm(ApiRights rights) : IAsyncDisposable
{
    private readonly Dictionary<string, string> _values = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<SentFile> _files = [];

    /// <summary>What the caller may do, as far as it is known by now.</summary>
    public virtual ApiRights Rights => rights;

    /// <summary>True while the form itself may still show who the caller is.</summary>
    public virtual bool AwaitsKey => false;

    /// <summary>Most bytes of one value; by default only their sum is limited.</summary>
    public int MostField { get; init; } = int.MaxValue;

    /// <summary>The values by name.</summary>
    public IReadOnlyDictionary<string, string> Values => _values;

    /// <summary>In the order in which they were sent.</summary>
    public IReadOnlyList<SentFile> Files => _files;

    /// <summary>Null when it is absent.</summary>
    public string? Value(string name) => _values.GetValueOrDefault(name);

    public void Add(string name, string value) => _values.TryAdd(name, value);

    public void Add(SentFile file) => _files.Add(file);

    /// <summary>Called after each value of a multipart form, and at the end of each form with null. False: the caller is refused, and the
    /// rest is not read.</summary>
    public virtual ValueTask<bool> AdmitsAsync(string? name) => ValueTask.FromResult(true);

    /// <summary>Called before a file is stored. False: the caller is refused, and the rest is not read.</summary>
    public virtual bool AdmitsFile() => true;

    /// <summary>False: the file of this part is skipped.</summary>
    public virtual bool Wants(string partName) => true;

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var file in _files)
            await file.Content.DisposeAsync();
        _files.Clear();
    }
}
