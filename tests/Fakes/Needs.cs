using System.Diagnostics.CodeAnalysis;

namespace NzbDav.Fakes;

/// <summary>What a test needs of its machine. Compiled into every test project, as this one has no xunit.</summary>
internal static class Needs
{
    /// <summary>.ci/run sets it: there everything is installed.</summary>
    private static bool InCI { get; } = Environment.GetEnvironmentVariables().Contains("NZBDAV_CI");

    /// <summary>Skips the test that runs, with the reason; in CI it fails.</summary>
    /// <param name="why">What is missing, and how to get it.</param>
    [DoesNotReturn]
    public static void Skip(string why)
    {
        Assert.False(InCI, why);
        Assert.Skip(why);
    }
}
