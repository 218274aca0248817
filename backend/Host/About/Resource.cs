namespace NzbDav.Host.About;

/// <summary>Reads text files embedded in the program.</summary>
internal static class Resource
{
    public static string Text(string name)
    {
        using var reader = new StreamReader(typeof(Resource).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} was not built in"));
        return reader.ReadToEnd();
    }
}
