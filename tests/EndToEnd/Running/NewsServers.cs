using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Providers;
using NzbDav.Usenet.Accounts;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>Mock providers over one store. They outlive gateways, so a test can restart one.</summary>
internal sealed class NewsServers : IAsyncDisposable
{
    private readonly List<MockProvider> _providers = [];
    private readonly List<MockProviderOptions> _options = [];

    public NewsServers(params MockProviderOptions[] options)
    {
        foreach (var one in options.Length > 0 ? options : [new MockProviderOptions { Name = "one" }])
        {
            _options.Add(one);
            _providers.Add(MockProvider.Start(Store, one));
        }
    }

    public ArticleStore Store { get; } = new();

    public IReadOnlyList<MockProvider> Providers => _providers;

    public MockProvider First => _providers[0];

    /// <summary>Settings of the accounts for a gateway.</summary>
    public ProviderOptions[] Accounts =>
    [
        .. _providers.Select((provider, index) => new ProviderOptions
        {
            Name = provider.Name,
            Host = "127.0.0.1",
            Port = provider.Port,
            UseTls = false,
            Username = _options[index].Username ?? "",
            Password = _options[index].Password ?? "",
            MaxConnections = 8,
            Priority = index,
        }),
    ];

    /// <summary>The same settings for a process.</summary>
    public Dictionary<string, string> Environment
    {
        get
        {
            var variables = new Dictionary<string, string>(StringComparer.Ordinal);
            foreach (var (account, index) in Accounts.Select((account, index) => (account, index)))
            {
                var prefix = $"NzbDav__Usenet__Providers__{index}__";
                variables[$"{prefix}Name"] = account.Name;
                variables[$"{prefix}Host"] = account.Host;
                variables[$"{prefix}Port"] = $"{account.Port}";
                variables[$"{prefix}UseTls"] = "false";
                variables[$"{prefix}MaxConnections"] = "8";
                variables[$"{prefix}Priority"] = $"{index}";
            }

            return variables;
        }
    }

    /// <summary>Posts a seeded file.</summary>
    public PostedFile Post(string name, long length, PostOptions? options = null) =>
        Store.AddFile(name, new SeededSource(11, name, length), options);

    /// <summary>Adds a fault at every provider.</summary>
    public void Fault(Fault fault, FaultTarget target)
    {
        foreach (var provider in _providers)
            provider.Faults.Add(fault, target);
    }

    /// <summary>Removes all faults.</summary>
    public void Mend()
    {
        foreach (var provider in _providers)
            provider.Faults.Clear();
    }

    /// <summary>
    /// Holds up an article: a request for it gets half of it and then nothing until <see cref="Mend"/>. The task completes when the article
    /// is requested.
    /// </summary>
    public Task Stall(PostedFile file, int index) => Stall(segment => ReferenceEquals(segment.File, file) && segment.Index == index);

    /// <inheritdoc cref="Stall(PostedFile, int)"/>
    public Task Stall(Func<PostedSegment, bool> which)
    {
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Fault(MockUsenet.Faults.Fault.Stall(), FaultTarget.Where(segment =>
        {
            if (!which(segment))
                return false;
            asked.TrySetResult();
            return true;
        }));
        return asked.Task.WaitAsync(Deadline.Long);
    }

    /// <summary>Stops all providers and closes their connections.</summary>
    public void GoDown()
    {
        foreach (var provider in _providers)
        {
            provider.RefuseConnections = true;
            provider.DropConnections();
        }
    }

    public void ComeBack()
    {
        foreach (var provider in _providers)
            provider.RefuseConnections = false;
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var provider in _providers)
            await provider.DisposeAsync();
    }
}
