using Microsoft.AspNetCore.Http;
using NzbDav.Access.Keys;
using NzbDav.Api.Forms;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Api.Sab;

/// <summary>The content of a call's form, of which one file counts. The key may be in the form. Owns the files.</summary>
internal sealed class SabForm : CallForm
{
    private readonly HttpContext _http;
    private readonly SabCall _call;
    private readonly SabGate _gate;
    private ErrorAnswer? _refusal;
    private int _rank;

    private SabForm(HttpContext http, SabCall call, SabGate gate)
        : base(ApiRights.None) => (_http, _call, _gate) = (http, call, gate);

    /// <inheritdoc/>
    public override ApiRights Rights => _call.Rights;

    /// <inheritdoc/>
    public override bool AwaitsKey => _call.Key is null;

    /// <summary>Reads the form into the call, and takes the key from it unless the call already has one.</summary>
    /// <returns>Null on success, or why the form was not read to its end.</returns>
    /// <exception cref="InvalidDataException">The body is not a valid form.</exception>
    /// <exception cref="IOException">It ends too early, or a file cannot be stored.</exception>
    public static async ValueTask<ErrorAnswer?> ReadAsync(FormReader forms, SabGate gate, HttpContext http, SabCall call)
    {
        var form = new SabForm(http, call, gate);
        call.Form = form;
        try
        {
            await forms.ReadAsync(http, form);
            return form._refusal;
        }
        catch (FormTooLargeException e)
        {
            return gate.RefusalOf(call) ?? new ErrorAnswer(e.Message);
        }
    }

    /// <inheritdoc/>
    public override async ValueTask<bool> AdmitsAsync(string? name)
    {
        if (name is null || name.Equals(SabGate.KeyName, StringComparison.OrdinalIgnoreCase))
            _refusal = await _gate.AuthenticateFormAsync(_http, _call);
        return _refusal is null;
    }

    /// <inheritdoc/>
    public override bool AdmitsFile()
    {
        if (_gate.ModeOf(_call) is not null)
            _refusal = _gate.RefusalOf(_call);
        return _refusal is null;
    }

    /// <summary>
    /// SABnzbd uses the part called <c>name</c>, otherwise <c>nzbfile</c>, otherwise the first file. Of parts with the same rank the first
    /// counts.
    /// </summary>
    public override bool Wants(string partName)
    {
        var rank = partName.ToUpperInvariant() switch { "NAME" => 3, "NZBFILE" => 2, _ => 1 };
        if (rank <= _rank)
            return false;
        _rank = rank;
        return true;
    }
}
