package com.example.databaseschema;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.TestPropertySource;

/**
 * Runs the tests on a PostgreSQL server:
 * {@code DATABASE_PASSWORD=… mvn verify -Dpostgresql=jdbc:postgresql://localhost:5432/postgres}.
 */
@ActiveProfiles("postgresql")
@TestPropertySource(properties = "spring.datasource.url=${postgresql}")
@EnabledIfSystemProperty(named = "postgresql", matches = ".+")
class PostgresqlTests extends DatabaseSchemaReconcilerTests {

}
