namespace NzbDav.Host.About;

/// <summary>Texts that are part of the program's file.</summary>
internal static class Resource
{
    public static string Text(string name)
    {
        using var reader = new StreamReader(typeof(Resource).Assembly.GetManifestResourceStream(name) ?? throw new InvalidOperationException($"{name} was not built in"));
        return reader.ReadToEnd();
    }
}
