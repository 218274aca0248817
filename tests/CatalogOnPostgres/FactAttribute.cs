using System.Runtime.CompilerServices;
using NzbDav.Fakes;

namespace NzbDav.Catalog.Tests;

/// <summary>A test that needs PostgreSQL. Without Debian's <c>postgresql</c> it is passed over and says so, but never in CI.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class FactAttribute : Xunit.FactAttribute
{
    public FactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line) => Skip = PostgresServer.WhyNot;
}
