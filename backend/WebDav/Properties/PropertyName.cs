namespace NzbDav.WebDav;

/// <summary>An XML name with its namespace.</summary>
/// <param name="Namespace">Namespace URI; empty for none.</param>
/// <param name="Local">Local name.</param>
internal readonly record struct PropertyName(string Namespace, string Local)
{
    public const string Dav = "DAV:";
}
