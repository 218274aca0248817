using NzbDav.WebDav.Requests;

namespace NzbDav.WebDav.Methods;

/// <summary>One HTTP method over the store. Stateless; one instance answers all requests.</summary>
internal interface IMethodHandler
{
    /// <summary>The method, in capitals.</summary>
    string Method { get; }

    Task HandleAsync(WebDavRequest request);
}
