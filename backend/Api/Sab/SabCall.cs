using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace NzbDav.Api.Sab;

/// <summary>One call: its parameters, from the query or the form, and who calls. The first value of a name counts.</summary>
internal sealed class SabCall(IQueryCollection query, IFormCollection? form, ApiRights rights)
{
    public ApiRights Rights => rights;

    public IFormFileCollection? Files => form?.Files;

    /// <summary>Null when it is absent or empty.</summary>
    public string? Text(string name)
    {
        var values = query.TryGetValue(name, out var asked) ? asked : form is not null && form.TryGetValue(name, out var posted) ? posted : StringValues.Empty;
        return values.Count > 0 && !string.IsNullOrEmpty(values[0]) ? values[0] : null;
    }

    /// <summary>A whole number; <paramref name="otherwise"/> when it is absent or is none.</summary>
    public int Number(string name, int otherwise = 0) =>
        int.TryParse(Text(name), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) ? number : otherwise;

    public bool Flag(string name, bool otherwise = false) => Text(name) is { } text ? text is "1" or "true" or "True" : otherwise;

    /// <summary>Values separated by commas; null when absent.</summary>
    public string[]? List(string name) => Text(name)?.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>Ids of jobs, those that cannot be any left out; null when absent.</summary>
    public List<long>? Ids(string name) => List(name)?.Select(NzoId.Parse).OfType<long>().ToList();
}
