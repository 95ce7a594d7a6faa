package dev.kubeinformer.test.internal.write;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.test.internal.json.Json;
import dev.kubeinformer.test.internal.resource.ObjectKey;
import dev.kubeinformer.test.internal.resource.ResourceDefinition;
import dev.kubeinformer.test.internal.resource.ResourceTypes;
import dev.kubeinformer.test.internal.storage.RevisionLog;

/**
 * Writes a CustomResourceDefinition for a test that only needs a served resource.
 */
public final class DefinitionWriter {

	private final ResourceDefinition definitions;

	private final StoredObjects store;

	private final RevisionLog log;

	public DefinitionWriter(ResourceTypes types, StoredObjects store, RevisionLog log) {
		this.definitions = types.definitions();
		this.store = store;
		this.log = log;
	}

	public void write(String group, String version, String plural, String kind, boolean namespaced) {
		ObjectNode definition = definition(group, version, plural, kind, namespaced);
		ObjectKey key = new ObjectKey("", plural + "." + group);
		if (this.log.get(this.definitions.resource(), key) == null) {
			this.store.create(this.definitions, "", definition);
		}
		else {
			this.store.update(this.definitions, key, definition, WriteOptions.DIRECT);
		}
	}

	private static ObjectNode definition(String group, String version, String plural, String kind, boolean namespaced) {
		ObjectNode definition = Json.object();
		definition.putObject("metadata").put("name", plural + "." + group);
		ObjectNode spec = definition.putObject("spec").put("group", group);
		spec.put("scope", (namespaced) ? "Namespaced" : "Cluster");
		spec.putObject("names").put("plural", plural).put("kind", kind);
		ObjectNode served = spec.putArray("versions").addObject();
		served.put("name", version).put("served", true).put("storage", true);
		served.putObject("subresources").putObject("status");
		served.putObject("schema")
			.putObject("openAPIV3Schema")
			.put("type", "object")
			.put("x-kubernetes-preserve-unknown-fields", true);
		return definition;
	}

}
