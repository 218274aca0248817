using Microsoft.Extensions.DependencyInjection;
using NzbDav.Catalog;

namespace NzbDav.Api.Native.Jobs;

/// <summary>What jobs need.</summary>
internal static class JobsSetup
{
    public static void AddJobs(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, JobsJson.Default));
        services.AddSingleton<JobList>().AddSingleton<ProgressBoard>().AddSingleton<JobView>().AddSingleton<JobFormReader>().AddSingleton<JobIntake>().AddSingleton<JobActions>();
    }
}
