package com.example.databaseschema;

import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import dev.kubeinformer.controller.Conditions;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the controller on the cluster of {@code -Dkubeconfig}, in a namespace of its own,
 * with a database in memory.
 */
@SpringBootTest(properties = { "kubernetes.client.kubeconfig=${kubeconfig}", "kubernetes.client.allow-in-tests=true",
		"kubernetes.definitions.apply=true" })
@EnabledIfSystemProperty(named = "kubeconfig", matches = ".+")
class DatabaseSchemaClusterTests {

	private final String namespace = "database-schema-" + UUID.randomUUID();

	@Autowired
	private ApiClient client;

	@Autowired
	private Lister<DatabaseSchema> schemas;

	@BeforeEach
	void createNamespace() throws ApiException {
		new CoreV1Api(this.client).createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace)))
			.execute();
	}

	@AfterEach
	void deleteNamespace() throws ApiException {
		new CoreV1Api(this.client).deleteNamespace(this.namespace).execute();
	}

	@Test
	void credentialsAreValidAsLongAsTheObjectExists() throws ApiException, SQLException {
		DatabaseSchema schema = new DatabaseSchema();
		schema.getMetadata().setName("orders");
		CustomObjectsApi objects = new CustomObjectsApi(this.client);
		objects.createNamespacedCustomObject("example.com", "v1", this.namespace, "databaseschemas", schema).execute();
		await().until(() -> {
			DatabaseSchema created = this.schemas.namespace(this.namespace).get("orders");
			return created.status != null && Conditions.isTrue(created.status.conditions, "Ready");
		});
		Map<String, byte[]> credentials = new CoreV1Api(this.client).readNamespacedSecret("orders", this.namespace)
			.execute()
			.getData();
		connect(credentials);
		objects.deleteNamespacedCustomObject("example.com", "v1", this.namespace, "databaseschemas", "orders")
			.execute();
		await().until(() -> this.schemas.namespace(this.namespace).get("orders") == null);
		assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connect(credentials));
	}

	private static void connect(Map<String, byte[]> credentials) throws SQLException {
		DriverManager
			.getConnection(text(credentials, "url"), text(credentials, "username"), text(credentials, "password"))
			.close();
	}

	private static String text(Map<String, byte[]> credentials, String key) {
		return new String(credentials.get(key), StandardCharsets.UTF_8);
	}

}
