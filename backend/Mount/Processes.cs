namespace NzbDav.Mount;

/// <summary>The programs that read.</summary>
internal static class Processes
{
    /// <summary>What stands in place of a client's address.</summary>
    public const string Mount = "mount";

    /// <summary>The name of the program that a thread belongs to; null: it is not visible from here, as in another container.</summary>
    public static string? NameOf(uint thread)
    {
        if (thread == 0)
            return null;
        try
        {
            return File.ReadAllText($"/proc/{thread}/comm").TrimEnd();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
