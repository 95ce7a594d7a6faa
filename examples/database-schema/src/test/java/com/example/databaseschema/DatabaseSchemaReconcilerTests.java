package com.example.databaseschema;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

import com.example.databaseschema.DatabaseSchema.DeletionPolicy;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.spring.test.EmbeddedKubernetesTest;
import dev.kubeinformer.test.ApiResources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests the whole controller on a Kubernetes API server and a database in memory.
 */
@SpringBootTest
@EmbeddedKubernetesTest
class DatabaseSchemaReconcilerTests {

	private ApiResources<DatabaseSchema> schemas;

	private ApiResources<V1Secret> secrets;

	@Autowired
	private ReconcilerRegistry reconcilers;

	@Autowired
	private Database database;

	@Autowired
	private JdbcClient jdbc;

	@BeforeEach
	void resources(ApiResources<DatabaseSchema> schemas, ApiResources<V1Secret> secrets) {
		this.schemas = schemas;
		this.secrets = secrets;
	}

	@AfterEach
	void dropSchemas() throws SQLException {
		for (DatabaseSchema schema : this.schemas.list()) {
			this.database.drop(schema.status.schema);
		}
	}

	@Test
	void tablesAreCreatedWithTheCredentialsOfTheSecret() throws Exception {
		create(DeletionPolicy.Delete);
		try (Connection connection = connect()) {
			connection.setSchema(value("schema"));
			connection.createStatement().execute("CREATE TABLE orders (id INT)");
		}
		assertThat(status().schema).startsWith("orders_").isEqualTo(value("schema"));
		assertThat(Conditions.isTrue(status().conditions, "Ready")).isTrue();
	}

	@Test
	void lostSecretIsReplacedByOneWithAnotherPassword() throws Exception {
		create(DeletionPolicy.Delete);
		String before = value("password");
		this.secrets.delete("orders");
		settle();
		assertThat(value("password")).isNotEqualTo(before);
		connect().close();
	}

	@Test
	void passwordOfTheSecretIsSetInTheDatabase() throws Exception {
		create(DeletionPolicy.Delete);
		this.secrets.edit("orders",
				(secret) -> secret.putDataItem("password", "it's another".getBytes(StandardCharsets.UTF_8)));
		settle();
		assertThat(value("password")).isEqualTo("it's another");
		connect().close();
	}

	@Test
	void emptySecretIsFilled() throws Exception {
		create(DeletionPolicy.Delete);
		this.secrets.edit("orders", (secret) -> secret.setData(null));
		settle();
		connect().close();
	}

	@Test
	void schemaGoesWithItsObject() throws Exception {
		create(DeletionPolicy.Delete);
		String schema = status().schema;
		assertThat(exists(schema)).isTrue();
		delete();
		assertThat(this.schemas.get("orders")).isNull();
		assertThat(exists(schema)).isFalse();
		assertThatExceptionOfType(SQLException.class).isThrownBy(this::connect);
	}

	@Test
	void retainedSchemaOutlivesItsObject() throws Exception {
		create(DeletionPolicy.Retain);
		String schema = status().schema;
		delete();
		assertThat(this.schemas.get("orders")).isNull();
		assertThat(exists(schema)).isTrue();
		this.database.drop(schema);
	}

	@Test
	void failureDoesNotShowThePassword() throws SQLException {
		this.database.create("taken", "secret-1");
		this.jdbc.sql("DROP SCHEMA \"taken\"").update();
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> this.database.create("taken", "secret-2"))
			.withMessageContaining("already exists")
			.withMessageNotContaining("secret-2");
		this.database.drop("taken");
	}

	private void create(DeletionPolicy policy) throws InterruptedException {
		DatabaseSchema schema = new DatabaseSchema();
		schema.getMetadata().namespace("default").name("orders");
		schema.spec.deletionPolicy = policy;
		this.schemas.create(schema);
		settle();
	}

	// As a client, whose delete waits for the finalizer.
	private void delete() throws InterruptedException {
		this.schemas.asClient().delete("default", "orders");
		settle();
	}

	private void settle() throws InterruptedException {
		assertThat(this.reconcilers.awaitIdle(Duration.ofSeconds(30))).isTrue();
		assertThat(this.reconcilers.get("databaseSchemaReconciler").status().failing()).isEmpty();
	}

	private DatabaseSchema.Status status() {
		return this.schemas.get("orders").status;
	}

	private String value(String key) {
		return new String(this.secrets.get("orders").getData().get(key), StandardCharsets.UTF_8);
	}

	private Connection connect() throws SQLException {
		return DriverManager.getConnection(value("url"), value("username"), value("password"));
	}

	private boolean exists(String schema) {
		return this.jdbc.sql("SELECT count(*) FROM information_schema.schemata WHERE schema_name = ?")
			.param(schema)
			.query(Integer.class)
			.single() > 0;
	}

}
