using NzbDav.Catalog.Database;

namespace NzbDav.Host.Serving;

/// <summary>
/// Answers a request that the catalog cannot serve now with a fitting status and the reason. Not below <c>/api/v1</c>, which has its own
/// format for errors.
/// </summary>
internal static class CatalogFaults
{
    /// <summary>Seconds after which clients should ask again: a database server starts within a few.</summary>
    private const string RetryAfter = "5";

    public static void UseCatalogFaults(this WebApplication app) => app.Use(static next => http => RunAsync(http, next));

    private static async Task RunAsync(HttpContext http, RequestDelegate next)
    {
        try
        {
            await next(http);
        }
        catch (CatalogException error) when (!http.Response.HasStarted && StatusOf(error) is not null)
        {
            http.Response.Clear();
            http.Response.StatusCode = StatusOf(error)!.Value;
            if (error.Fault != CatalogFault.RowDamaged)
                http.Response.Headers.RetryAfter = RetryAfter;

            // The body of the request may not have been read.
            http.Response.Headers.Connection = "close";
            http.Response.ContentType = "text/plain; charset=utf-8";
            await http.Response.WriteAsync(error.Message, http.RequestAborted);
        }
    }

    /// <summary>
    /// The status for a fault; null for faults of the whole catalog that do not pass by themselves. A damaged row counts as one missing
    /// item.
    /// </summary>
    private static int? StatusOf(CatalogException error) => error.Fault switch
    {
        CatalogFault.Busy or CatalogFault.Unavailable => StatusCodes.Status503ServiceUnavailable,
        CatalogFault.DiskFull => StatusCodes.Status507InsufficientStorage,
        CatalogFault.RowDamaged => StatusCodes.Status404NotFound,
        _ => null,
    };
}
