using Microsoft.Extensions.DependencyInjection;

namespace NzbDav.Api.Native.Jobs;

/// <summary>What jobs need.</summary>
internal static class JobsSetup
{
    public static void AddJobs(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, JobsJson.Default));
    }
}
