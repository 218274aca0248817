using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Native.Jobs;

/// <summary>Registers the services of the job routes.</summary>
internal static class JobsSetup
{
    public static void AddJobs(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, JobsJson.Default));
        services.AddSingleton<JobList>().AddSingleton<ProgressBoard>().AddSingleton<JobView>().AddSingleton<JobFormReader>()
            .AddSingleton<JobIntake>().AddSingleton<JobBatch>();
    }
}
