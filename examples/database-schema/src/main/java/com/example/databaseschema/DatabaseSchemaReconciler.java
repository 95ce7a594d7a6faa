package com.example.databaseschema;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.springframework.beans.factory.annotation.Value;

import dev.kubeinformer.controller.Conditions;
import dev.kubeinformer.controller.Owned;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.annotation.OnCleanup;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;

/**
 * Keeps a schema in the database and a Secret in the cluster for each
 * {@link DatabaseSchema}.
 */
@Reconciler
class DatabaseSchemaReconciler {

	private final Database database;

	private final String url;

	DatabaseSchemaReconciler(Database database, @Value("${spring.datasource.url}") String url) {
		this.database = database;
		this.url = url;
	}

	@Reconcile
	void reconcile(DatabaseSchema schema, Owned<V1Secret> secrets, Reconciliation<DatabaseSchema> run)
			throws ApiException, SQLException {
		String name = nameOf(schema);
		// The only copy of the password is in the Secret: a lost one is replaced.
		String password = Optional.ofNullable(secrets.named(schema.getMetadata().getName()))
			.map(V1Secret::getData)
			.map((data) -> data.get("password"))
			.map((bytes) -> new String(bytes, StandardCharsets.UTF_8))
			.orElseGet(() -> UUID.randomUUID().toString());
		try {
			this.database.create(name, password);
		}
		catch (SQLException ex) {
			report(run, name, "False", "DatabaseFailed", "the database responds with SQL state " + ex.getSQLState());
			throw ex; // It is retried.
		}
		run.apply(secretFor(schema, Map.of("url", this.url, "schema", name, "username", name, "password", password)));
		report(run, name, "True", "Created", "the credentials are in the Secret " + schema.getMetadata().getName());
	}

	@OnCleanup
	void cleanUp(DatabaseSchema schema) throws SQLException {
		if (schema.spec.deletionPolicy == DatabaseSchema.DeletionPolicy.Delete) {
			this.database.drop(nameOf(schema));
		}
	}

	private static void report(Reconciliation<DatabaseSchema> run, String name, String status, String reason,
			String message) throws ApiException {
		run.status((changed) -> {
			changed.status.schema = name;
			changed.status.conditions = Conditions.set(changed.status.conditions, "Ready", status, reason, message,
					changed.getMetadata().getGeneration());
		});
	}

	// Short enough for all databases; the UID tells schemas of the same name apart.
	private static String nameOf(DatabaseSchema schema) {
		String name = schema.getMetadata().getName();
		return name.substring(0, Math.min(name.length(), 50)) + "_" + schema.getMetadata().getUid().substring(0, 8);
	}

	private static V1Secret secretFor(DatabaseSchema schema, Map<String, String> data) {
		V1Secret secret = new V1Secret().metadata(new V1ObjectMeta().name(schema.getMetadata().getName()));
		data.forEach((key, value) -> secret.putDataItem(key, value.getBytes(StandardCharsets.UTF_8)));
		return secret;
	}

}
