namespace NzbDav.EndToEnd.Tests;

internal static class Program
{
    public static Task<int> Main() => Task.FromResult(0);
}
