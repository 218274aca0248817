using Microsoft.AspNetCore.Http;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Methods;

/// <summary>GET and HEAD: a file's bytes, or a page that lists a collection.</summary>
internal sealed class GetHandler : IMethodHandler
{
    private readonly FileSender _files;

    public GetHandler(FileSender files, string method)
    {
        _files = files;
        Method = method;
    }

    public string Method { get; }

    public async Task HandleAsync(WebDavRequest request)
    {
        var item = request.IsJunk ? null : await request.FindAsync();
        await (item switch
        {
            IStoreFile file => _files.SendAsync(request.Http, file, request.Path),
            IStoreCollection collection => CollectionIndex.SendAsync(request, collection, HttpMethods.IsHead(Method)),
            _ => request.NotFoundAsync(),
        });
    }
}
