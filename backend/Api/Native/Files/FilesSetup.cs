using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NzbDav.Catalog.Browsing;
using NzbDav.Library.Opening;
using NzbDav.Library.Posts;
using NzbDav.Library.Zip;
using NzbDav.Usenet;

namespace NzbDav.Api.Native.Files;

/// <summary>Registers the services of the file routes. The host adds the tree and its store.</summary>
internal static class FilesSetup
{
    public static void AddFiles(this IServiceCollection services)
    {
        services.ConfigureHttpJsonOptions(options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, FilesJson.Default));
        services.TryAddSingleton<TreeBrowser>();
        services.TryAddSingleton(static provider => provider.GetRequiredService<UsenetClient>().Gone);
        services.TryAddSingleton<FileLayouts>();
        services.TryAddSingleton<FileChecks>();
        services.TryAddSingleton<FileMedia>();
        services.TryAddSingleton<FolderZips>();
        services.AddSingleton<FileFinder>().AddSingleton<FileInspection>().AddSingleton<FileActions>().AddSingleton<PlayLinks>().AddSingleton<FileBytes>();
    }
}
