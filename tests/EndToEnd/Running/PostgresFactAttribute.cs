using System.Runtime.CompilerServices;
using NzbDav.Fakes;

namespace NzbDav.EndToEnd.Tests.Running;

/// <summary>A test that needs PostgreSQL. Without Debian's <c>postgresql</c> it is passed over and says so, but never in CI.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class PostgresFactAttribute : FactAttribute
{
    /// <summary>Collection of the classes with such tests: some stop the server, so all run one after the other.</summary>
    public const string Collection = "PostgreSQL";

    public PostgresFactAttribute([CallerFilePath] string? file = null, [CallerLineNumber] int line = -1)
        : base(file, line) => Skip = PostgresServer.WhyNot;
}
