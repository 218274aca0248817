using System.Diagnostics;
#if POSTGRES
using NzbDav.Catalog.Blobs;
#endif
using NzbDav.Catalog.Tests.Jobs;
#if POSTGRES
using NzbDav.Fakes;
#endif
using Xunit.MicrosoftTestingPlatform;

namespace NzbDav.Catalog.Tests;

/// <summary>
/// The tests, or with <see cref="Mortal"/> the child process of <see cref="CrashTests"/>: claims a job, publishes it, and kills itself
/// before the n-th statement of the publication, or after the last. In PostgreSQL also that of the tests of blobs: puts one, and kills
/// itself before the named step.
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
        await using var catalog = await CatalogFixture.OpenAsync(arguments[0], CatalogFixture.NewClock(), ownsFolder: false);
#if POSTGRES
        if (!int.TryParse(arguments[1], out _))
        {
            ((ServerBlobs)catalog.Blobs.Place).Rows.BeforeStep = (step, _) =>
            {
                if (step == arguments[1])
                    Process.GetCurrentProcess().Kill();
            };
            await catalog.Blobs.PutAsync(SeededBytes.Make(1, 600_000), CancellationToken.None);
        }

#endif
        var left = int.Parse(arguments[1]);
        var job = await catalog.ClaimAsync("child");
        var publication = await CrashTests.PublicationAsync(catalog);
        catalog.Database.BeforeStatement = _ =>
        {
            if (left-- == 0)
                Process.GetCurrentProcess().Kill();
        };
        await catalog.Jobs.PublishAsync(job, publication, CancellationToken.None);
        Console.WriteLine("published");
        Process.GetCurrentProcess().Kill();
    }
}
