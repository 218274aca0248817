using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Calls;

/// <summary>One call: its parameters, from the query or the form, and its caller. If a name occurs several times, its first value counts.
/// Owns the form.</summary>
internal sealed class SabCall(IQueryCollection query) : IAsyncDisposable
{
    /// <summary>The key in the call; null if there is none.</summary>
    public string? Key { get; set; }

    /// <summary>The rights of the key.</summary>
    public ApiRights Rights { get; set; }

    /// <summary>
    /// False for callers who may only read: they do not see passwords of archives, nor the keys in an indexer's addresses.
    /// </summary>
    public bool SeesSecrets => Rights.HasFlag(ApiRights.Change);

    /// <summary>The form as far as it was read; null: there is none.</summary>
    public CallForm? Form { get; set; }

    /// <summary>The file of the form that counts; null: none, or none that the caller may add.</summary>
    public SentFile? File => Form?.Files is [.., var file] ? file : null;

    /// <summary>Null when it is absent or empty.</summary>
    public string? Text(string name) => First(query[name]) ?? (Form?.Value(name) is { Length: > 0 } value ? value : null);

    /// <summary>
    /// A whole number, clamped to the range of <see cref="int"/>; <paramref name="otherwise"/> when it is absent or not a number.
    /// </summary>
    public int Number(string name, int otherwise = 0) =>
        long.TryParse(Text(name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number)
            ? (int)Math.Clamp(number, int.MinValue, int.MaxValue) : otherwise;

    public bool Flag(string name, bool otherwise = false) => Text(name) is { } text ? text is "1" or "true" or "True" : otherwise;

    /// <summary>Values separated by commas; null when absent.</summary>
    public string[]? List(string name) => Text(name)?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>The requested categories, from <c>cat</c> or <c>category</c>; null for all.</summary>
    public string[]? Categories() =>
        (List("cat") ?? List("category")) is { } named && !named.Contains("*", StringComparer.Ordinal) ? named : null;

    /// <summary>
    /// Ids of .nzb jobs, from the ids that clients use; invalid ones, and those of torrents, which this interface does not show, are left
    /// out. Null when absent.
    /// </summary>
    public async ValueTask<List<long>?> IdsAsync(string name, JobStore jobs, CancellationToken cancellationToken)
    {
        if (List(name) is not { } named)
            return null;
        var ids = new List<long>(named.Length);
        foreach (var text in named)
        {
            if ((NzoId.Parse(text) ?? await jobs.FindByDownloadIdAsync(text, cancellationToken)) is { } id
                && await jobs.GetAsync(id, cancellationToken) is null or { Kind: JobKind.Nzb })
                ids.Add(id);
        }

        return ids;
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => Form?.DisposeAsync() ?? ValueTask.CompletedTask;

    private static string? First(StringValues values) => values.Count > 0 && !string.IsNullOrEmpty(values[0]) ? values[0] : null;
}

/// <summary>One or several values of <c>mode</c>.</summary>
internal interface ISabMode
{
    /// <summary>The values of <c>mode</c> that it handles.</summary>
    IReadOnlyList<string> Names { get; }

    /// <summary>The rights that a caller needs; <see cref="ApiRights.None"/>: no key is needed.</summary>
    ApiRights Needs(SabCall call);

    /// <summary>Answers a call: the members of the result are written as JSON, in lower case with underscores.</summary>
    ValueTask<object> RunAsync(SabCall call, CancellationToken cancellationToken);
}
