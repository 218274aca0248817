using System.Diagnostics;
using NzbDav.Catalog.Tests.Jobs;

namespace NzbDav.Catalog.Tests;

/// <summary>
/// The child process of <see cref="CrashTests"/>: claims a job, publishes it, and kills itself before the n-th statement of the publication, or after the last.
/// </summary>
internal static class Program
{
    public static async Task Main(string[] arguments)
    {
        await using var catalog = await CatalogFixture.OpenAsync(arguments[0], new SteppedClock(), ownsFolder: false);
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
