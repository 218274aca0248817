using System.Runtime.ExceptionServices;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using NzbDav.Host.Serving;
using NzbDav.Host.Settings;
using Xunit.Sdk;

namespace NzbDav.Documents.Tests;

/// <summary>
/// Checks the pages of this repository against its files, settings, command line and routes. <see cref="ChecksCanFailTests"/> shows that
/// each check can fail.
/// </summary>
public sealed class DocumentTests
{
    [Fact]
    public void Links_point_to_existing_files_and_headings()
    {
        Assert.Contains(Repository.Pages, page => page.Path == "README.md" && page.Links.Count > 5);
        Assert.Contains(Repository.Pages, page => page.Path == "docs/configuration.md" && page.Anchors.Contains("usenet-providers"));
        None(Repository.Pages.SelectMany(page => Links.Faults(page, Repository.Pages, Repository.Exists)));
    }

    [Fact]
    public void Named_settings_exist() => None(Repository.Pages.SelectMany(SettingNames.Faults));

    [Fact]
    public void Figures_name_the_settings_that_are_not_the_defaults() =>
        None(SettingNames.Unnamed(Repository.Pages.Single(page => page.Path == "docs/benchmarks.md"), Repository.Sources("tools")));

    [Fact]
    public void Named_commands_and_options_exist() => None(Repository.Pages.SelectMany(page => Commands.Faults(page, Repository.Exists)));

    [Fact]
    public async Task Samples_parse()
    {
        var samples = Repository.Pages.SelectMany(page => page.Blocks.Select(block => (Page: page, Block: block))).ToArray();
        Assert.Contains(samples, sample => sample.Block.Language == "sh");
        var faults = new List<string?>();
        SkipException? missing = null;
        foreach (var (page, block) in samples)
        {
            try
            {
                faults.Add(await Samples.FaultAsync(page, block));
            }
            catch (SkipException skip)
            {
                // The other samples are checked all the same.
                missing ??= skip;
            }
        }

        None(faults.OfType<string>());
        if (missing is not null)
            ExceptionDispatchInfo.Throw(missing);
    }

    [Fact]
    public async Task Named_calls_have_a_route()
    {
        var folder = Directory.CreateTempSubdirectory("nzbdav-documents-");
        try
        {
            // Only its routes are needed.
            await using var server = await NzbDavServer.CreateAsync(
                new SettingSources(new ConfigurationBuilder().Build()), folder.FullName, "http://127.0.0.1:0", demo: false, static all =>
                    all with { Torrents = all.Torrents with { Enabled = false } }, CancellationToken.None);
            await server.StartAsync(CancellationToken.None);
            var routes = new Routes(
                server.Services.GetServices<EndpointDataSource>().SelectMany(source => source.Endpoints).OfType<RouteEndpoint>()
                .SelectMany(route => (route.Metadata.GetMetadata<HttpMethodMetadata>()?.HttpMethods ?? [])
                    .Select(method => (method, route.RoutePattern.RawText!))));
            None(Repository.Pages.SelectMany(routes.Faults));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    [Fact]
    public void Quoted_messages_are_those_of_the_program()
    {
        string[] sources = [.. Repository.Sources()];
        foreach (var path in (string[])["docs/troubleshooting.md", "docs/upgrade.md", "docs/access.md", "docs/getting-started.md"])
            Assert.Contains(Repository.Pages, page => page.Path == path && page.Blocks.Any(block => block.Language == "text"));
        None(Repository.Pages.SelectMany(page => Quotes.Faults(page, sources)));
    }

    private static void None(IEnumerable<string> faults)
    {
        var all = faults.ToArray();
        Assert.True(all.Length == 0, string.Join('\n', all));
    }
}
