using NzbDav.Access.Keys;

namespace NzbDav.EndToEnd.Tests.Access;

/// <summary>A row of <see cref="ProbeTests"/>: a request and its expected answers.</summary>
/// <param name="Method">The method.</param>
/// <param name="Pattern">The route's pattern; null if the path is not a route.</param>
/// <param name="Path">The requested path.</param>
/// <param name="Expected">The expected answer by column.</param>
internal sealed record ProbeRow(string Method, string? Pattern, string Path, string[] Expected)
{
    /// <summary>Access granted: neither 401 nor 403.</summary>
    private const string In = "in";

    /// <summary>A route that requires these rights and nothing else.</summary>
    public static ProbeRow Of(string method, string pattern, string path, ApiRights rights, string? json = null)
    {
        var (read, add) = (rights == ApiRights.Read ? In : "403", rights == ApiRights.Add ? In : "403");
        return new ProbeRow(method, pattern, path, ["401", "401", read, add, "403", In, method is "GET" or "HEAD" ? In : "403", In])
        { Json = json, ForOperators = rights is ApiRights.Add or ApiRights.Change or (ApiRights.Add | ApiRights.Read) };
    }

    public static bool IsAs(string expected, string got) => expected == In ? got is not ("401" or "403") : got == expected;

    public string? Json { get; init; }

    public string? Form { get; init; }

    /// <summary>Operators get the same answer as administrators.</summary>
    public bool ForOperators { get; init; }

    /// <summary>The request ends the session that sent it.</summary>
    public bool EndsSession { get; init; }

    /// <summary>The expected answer in a column.</summary>
    public string By(int column) => column switch
    {
        < 8 => Expected[column],
        10 or 11 => Expected[0],
        9 when ForOperators => Expected[7],
        _ when Expected[0] == "401" && Expected[2] == "403" && Pattern is not null => "403",
        _ => Expected[7],
    };
}
