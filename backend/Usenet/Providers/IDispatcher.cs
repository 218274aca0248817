using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Gives the connections of providers their work. Thread-safe.</summary>
internal interface IDispatcher
{
    /// <summary>Registers a connection that is about to run. It gets no work before <see cref="IEmployedConnection.Begin"/>. Takes no lock.</summary>
    IEmployedConnection Employ(Provider provider, NntpConnection connection);

    /// <summary>Requests that wait for a connection of this provider or of another one with its priority. Takes the dispatcher's lock.</summary>
    int WaitingFor(Provider provider);

    /// <summary>Reports that a provider's standing became worse: requests waiting for it are rerouted or fail. Called outside the locks of providers and pools.</summary>
    void ProviderChanged(Provider provider);
}
