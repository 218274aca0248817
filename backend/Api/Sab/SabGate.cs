using Microsoft.AspNetCore.Http;
using NzbDav.Access.Attempts;
using NzbDav.Access.Keys;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Content.Secrets;

namespace NzbDav.Api.Sab;

/// <summary>Finds the key of a call and checks its rights. Thread-safe.</summary>
internal sealed class SabGate
{
    /// <summary>The parameter that holds the key.</summary>
    public const string KeyName = "apikey";

    private readonly KeyGate _keys;
    private readonly Dictionary<string, ISabMode> _modes = new(StringComparer.Ordinal);

    public SabGate(KeyGate keys, IEnumerable<ISabMode> modes)
    {
        _keys = keys;
        foreach (var mode in modes)
        {
            foreach (var name in mode.Names)
                _modes.Add(name, mode);
        }
    }

    /// <summary>The mode that the call names; null if it names none, or one that does not exist.</summary>
    public ISabMode? ModeOf(SabCall call) => call.Text("mode") is { } name ? _modes.GetValueOrDefault(name) : null;

    /// <summary>Looks for the key outside the body: in the address, then in the headers, as the other interfaces accept it.</summary>
    /// <returns>Null, or the refusal of an address that has sent too many wrong keys.</returns>
    public ValueTask<ErrorAnswer?> AuthenticateAsync(HttpContext http, SabCall call) =>
        TryKeyAsync(http, call, KeyOf(call) ?? (KeyGate.InHeaders(http.Request) is { Length: > 0 } key ? key : null));

    /// <summary>Looks for the key in the part of the form that was read, unless the call already has one.</summary>
    /// <inheritdoc cref="AuthenticateAsync"/>
    public ValueTask<ErrorAnswer?> AuthenticateFormAsync(HttpContext http, SabCall call) =>
        TryKeyAsync(http, call, call.Key is null ? KeyOf(call) : null);

    /// <summary>Null if the caller may do what the call requests.</summary>
    public ErrorAnswer? RefusalOf(SabCall call)
    {
        var needs = ModeOf(call)?.Needs(call) ?? ApiRights.Read;
        return (call.Rights & needs) == needs ? null : call.Key is null ? ErrorAnswer.KeyRequired : ErrorAnswer.KeyIncorrect;
    }

    /// <summary>The key's parameter, as in SABnzbd: <c>mode=auth</c> has a name of its own for it.</summary>
    private static string? KeyOf(SabCall call) => call.Text(KeyName) ?? (call.Text("mode") == "auth" ? call.Text("key") : null);

    private async ValueTask<ErrorAnswer?> TryKeyAsync(HttpContext http, SabCall call, string? key)
    {
        if (key is null)
            return null;
        call.Key = key;
        (var outcome, call.Rights) = await _keys.TryAsync(http, key, asDownloadClient: true);
        if (outcome != SecretVerdict.Throttled)
            return null;
        AttemptGate.SetRetryAfter(http.Response);
        return ErrorAnswer.TooMany;
    }
}
