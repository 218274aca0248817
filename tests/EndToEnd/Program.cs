using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.EndToEnd.Tests.Imports;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using NzbDav.Import.Progress;
using Xunit.MicrosoftTestingPlatform;
using Xunit.v3;

// Most of these tests wait for another process most of the time.
[assembly: Parallelization(MaxThreads = 4)]

namespace NzbDav.EndToEnd.Tests;

/// <summary>
/// The tests, or with <see cref="Mortal"/> the child process of <see cref="CrashTests"/>: the whole server. It kills itself before the n-th
/// statement of the first publication, right after its commit, or when an import reaches a given step.
/// </summary>
internal static class Program
{
    /// <summary>First argument of the child process; a folder and where it dies follow.</summary>
    public const string Mortal = "mortal";

    public static async Task<int> Main(string[] arguments)
    {
        if (arguments is not [Mortal, .. var rest])
            return await TestPlatformTestFramework.RunAsync(arguments, SelfRegisteredExtensions.AddSelfRegisteredExtensions);
        await DieAsync(rest);
        return 0;
    }

    private static async Task DieAsync(string[] arguments)
    {
        var step = int.TryParse(arguments[1], CultureInfo.InvariantCulture, out var left) ? null : arguments[1];
        var publishing = false;
        await using var server = await NzbDavServer.CreateAsync(
            SettingSources.OfProcess(), arguments[0], "http://127.0.0.1:0", demo: false, overlay: null, CancellationToken.None);
        server.Services.GetRequiredService<CatalogDatabase>().BeforeStatement = sql =>
        {
            publishing |= sql.Contains("state = 'completed'", StringComparison.Ordinal);
            if (publishing && step is null && left-- == 0)
                Die("in the middle");
        };
        server.Services.GetRequiredService<ImportEvents>().Progressed += progress =>
        {
            if (progress.Progress.Step == step)
                Die($"at {step}");
        };
        server.Services.GetRequiredService<JobStore>().Changed += change =>
        {
            if (change.State == JobState.Completed)
                Die("published");
        };
        await server.StartAsync(CancellationToken.None);
        await server.WaitForShutdownAsync(CancellationToken.None);
    }

    private static void Die(string where)
    {
        Console.WriteLine(where);
        Console.Out.Flush();
        Process.GetCurrentProcess().Kill();
    }
}
