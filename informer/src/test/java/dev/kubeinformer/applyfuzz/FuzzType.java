package dev.kubeinformer.applyfuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import tools.jackson.databind.node.ObjectNode;

import dev.kubeinformer.applyfuzz.Shape.Kind;
import dev.kubeinformer.resource.ResourceType;

/**
 * A resource that is fuzzed.
 *
 * @param type the resource
 * @param namespaced whether its objects live in a namespace
 * @param shape what its objects may have
 * @param least an object without metadata that every API server accepts
 */
record FuzzType(ResourceType<?> type, boolean namespaced, Shape shape, ObjectNode least) {

	/** A custom resource with a schema of everything that lists and maps may be. */
	static final ResourceType<?> BLOBS = ResourceType.of(Blob.class);

	private static final String POD = "{containers:[{name:'a',image:'i'}]}";

	private static final String TEMPLATE = "template:{metadata:{labels:{a:'b'}},spec:" + POD + "}";

	private static final String SELECTED = "selector:{matchLabels:{a:'b'}}," + TEMPLATE;

	private static final String JOB = "{template:{spec:{restartPolicy:'Never',containers:[{name:'a',image:'i'}]}}}";

	private static final Map<String, String> LEAST = new LinkedHashMap<>();
	static {
		LEAST.put("configmaps.v1", "{}");
		LEAST.put("secrets.v1", "{}");
		LEAST.put("serviceaccounts.v1", "{}");
		LEAST.put("services.v1", "{spec:{ports:[{port:80,name:'a'}]}}");
		LEAST.put("endpoints.v1", "{}");
		LEAST.put("limitranges.v1", "{spec:{limits:[{type:'Container'}]}}");
		LEAST.put("nodes.v1", "{}");
		LEAST.put("persistentvolumes.v1",
				"{spec:{capacity:{storage:'1Gi'},accessModes:['ReadWriteOnce'],hostPath:{path:'/a'}}}");
		LEAST.put("persistentvolumeclaims.v1",
				"{spec:{accessModes:['ReadWriteOnce'],resources:{requests:{storage:'1Gi'}}}}");
		LEAST.put("pods.v1", "{spec:" + POD + "}");
		LEAST.put("podtemplates.v1", "{" + TEMPLATE + "}");
		LEAST.put("replicationcontrollers.v1", "{spec:{selector:{a:'b'}," + TEMPLATE + "}}");
		LEAST.put("resourcequotas.v1", "{spec:{hard:{pods:'4'}}}");
		LEAST.put("controllerrevisions.v1.apps", "{revision:1,data:{a:1}}");
		LEAST.put("daemonsets.v1.apps", "{spec:{" + SELECTED + "}}");
		LEAST.put("deployments.v1.apps", "{spec:{" + SELECTED + "}}");
		LEAST.put("replicasets.v1.apps", "{spec:{" + SELECTED + "}}");
		LEAST.put("statefulsets.v1.apps", "{spec:{serviceName:'s'," + SELECTED + "}}");
		LEAST.put("horizontalpodautoscalers.v2.autoscaling",
				"{spec:{maxReplicas:3,scaleTargetRef:{kind:'Deployment',name:'d',apiVersion:'apps/v1'}}}");
		LEAST.put("horizontalpodautoscalers.v1.autoscaling",
				"{spec:{maxReplicas:3,scaleTargetRef:{kind:'Deployment',name:'d',apiVersion:'apps/v1'}}}");
		LEAST.put("jobs.v1.batch", "{spec:" + JOB + "}");
		LEAST.put("cronjobs.v1.batch", "{spec:{schedule:'* * * * *',jobTemplate:{spec:" + JOB + "}}}");
		LEAST.put("leases.v1.coordination.k8s.io", "{spec:{}}");
		LEAST.put("endpointslices.v1.discovery.k8s.io", "{addressType:'IPv4',endpoints:[{addresses:['10.0.0.1']}]}");
		LEAST.put("flowschemas.v1.flowcontrol.apiserver.k8s.io", "{spec:{priorityLevelConfiguration:{name:'exempt'}}}");
		LEAST.put("prioritylevelconfigurations.v1.flowcontrol.apiserver.k8s.io",
				"{spec:{type:'Limited',limited:{limitResponse:{type:'Reject'}}}}");
		LEAST.put("ingresses.v1.networking.k8s.io", "{spec:{defaultBackend:{service:{name:'s',port:{number:80}}}}}");
		LEAST.put("ingressclasses.v1.networking.k8s.io", "{spec:{controller:'a.b/c'}}");
		LEAST.put("networkpolicies.v1.networking.k8s.io", "{spec:{podSelector:{}}}");
		LEAST.put("runtimeclasses.v1.node.k8s.io", "{handler:'h'}");
		LEAST.put("poddisruptionbudgets.v1.policy", "{spec:{minAvailable:1}}");
		LEAST.put("roles.v1.rbac.authorization.k8s.io", "{rules:[{verbs:['get'],apiGroups:[''],resources:['pods']}]}");
		LEAST.put("clusterroles.v1.rbac.authorization.k8s.io",
				"{rules:[{verbs:['get'],apiGroups:[''],resources:['pods']}]}");
		String bound = "subjects:[{kind:'User',name:'u',apiGroup:'rbac.authorization.k8s.io'}]}";
		LEAST.put("rolebindings.v1.rbac.authorization.k8s.io",
				"{roleRef:{apiGroup:'rbac.authorization.k8s.io',kind:'Role',name:'r'}," + bound);
		LEAST.put("clusterrolebindings.v1.rbac.authorization.k8s.io",
				"{roleRef:{apiGroup:'rbac.authorization.k8s.io',kind:'ClusterRole',name:'r'}," + bound);
		LEAST.put("priorityclasses.v1.scheduling.k8s.io", "{value:7}");
		LEAST.put("csidrivers.v1.storage.k8s.io", "{spec:{}}");
		LEAST.put("storageclasses.v1.storage.k8s.io", "{provisioner:'p'}");
		LEAST.put("volumeattachments.v1.storage.k8s.io",
				"{spec:{attacher:'a',nodeName:'n',source:{persistentVolumeName:'p'}}}");
		LEAST.put("csistoragecapacities.v1.storage.k8s.io", "{storageClassName:'s'}");
		LEAST.put("validatingwebhookconfigurations.v1.admissionregistration.k8s.io",
				"{webhooks:[{name:'a.b.c',sideEffects:'None',admissionReviewVersions:['v1'],clientConfig:{url:'https://a/b'}}]}");
		LEAST.put("mutatingwebhookconfigurations.v1.admissionregistration.k8s.io",
				"{webhooks:[{name:'a.b.c',sideEffects:'None',admissionReviewVersions:['v1'],clientConfig:{url:'https://a/b'}}]}");
		LEAST.put("validatingadmissionpolicies.v1.admissionregistration.k8s.io",
				"{spec:{matchConstraints:{resourceRules:[{apiGroups:['none.example.com'],apiVersions:['v1'],"
						+ "operations:['CREATE'],resources:['nones']}]},validations:[{expression:'true'}]}}");
	}

	static List<FuzzType> all() {
		ModelShapes shapes = new ModelShapes();
		List<FuzzType> all = new ArrayList<>();
		LEAST.forEach((name, least) -> ResourceType.builtIn()
			.stream()
			.filter((type) -> type.toString().equals(name))
			.forEach((type) -> all.add(new FuzzType(type, type.namespaced(), shapes.of(type), Trees.parse(least)))));
		if (all.size() != LEAST.size()) {
			throw new IllegalStateException("Only %d of %s are known".formatted(all.size(), LEAST.keySet()));
		}
		all.add(new FuzzType(BLOBS, true, blob(), Trees.parse("{spec:{}}")));
		return all;
	}

	String kind() {
		return this.type.kind();
	}

	/**
	 * The path of an object.
	 */
	String path(String namespace, String name) {
		return this.type.path(this.namespaced ? namespace : null) + "/" + name;
	}

	private static Shape blob() {
		Supplier<Shape> text = () -> Shape.text();
		Map<String, Supplier<Shape>> metadata = Map.of("labels", () -> Shape.map(text), "annotations",
				() -> Shape.map(text));
		Supplier<Shape> number = () -> Shape.of(Kind.INTEGER);
		Supplier<Shape> any = () -> Shape.of(Kind.ANY);
		Supplier<Shape> pair = () -> Shape.object(Map.of("a", text, "b", number), Set.of());
		Supplier<Shape> item = () -> Shape.object(Map.of("id", text, "kind", text, "value", text, "tags",
				() -> Shape.set(text), "free", any, "inner", pair), Set.of("id"));
		Map<String, Supplier<Shape>> spec = new LinkedHashMap<>();
		spec.put("text", text);
		spec.put("size", number);
		spec.put("port", () -> Shape.of(Kind.INT_OR_STRING));
		spec.put("truth", () -> Shape.of(Kind.TRUTH));
		spec.put("items", () -> Shape.keyed(item, orderedKeys()));
		spec.put("tags", () -> Shape.set(text));
		spec.put("plain", () -> Shape.list(pair));
		spec.put("words", () -> Shape.list(text));
		spec.put("frozen", pair);
		spec.put("nested", pair);
		spec.put("labels", () -> Shape.map(text));
		spec.put("pairs", () -> Shape.map(pair));
		spec.put("free", any);
		spec.put("nothing", text);
		return Shape.object(
				Map.of("metadata", () -> Shape.object(metadata, Set.of()), "spec", () -> Shape.object(spec, Set.of())),
				Set.of("spec"));
	}

	private static Map<String, String> orderedKeys() {
		Map<String, String> keys = new LinkedHashMap<>();
		keys.put("id", "");
		keys.put("kind", "x");
		return keys;
	}

	/**
	 * The definition of the custom resource, and that of the primaries.
	 */
	static List<ObjectNode> definitions() {
		String text = "{type:'string'}";
		String pair = "type:'object',properties:{a:" + text + ",b:{type:'integer',default:4}}";
		String item = "{type:'object',required:['id'],properties:{id:" + text
				+ ",kind:{type:'string',default:'x'},value:{type:'string',default:'v'},"
				+ "tags:{type:'array','x-kubernetes-list-type':'set',items:" + text
				+ "},free:{'x-kubernetes-preserve-unknown-fields':true},inner:{" + pair + "}}}";
		String spec = "{type:'object',properties:{text:{type:'string',default:'d'},size:{type:'integer',default:3},"
				+ "port:{'x-kubernetes-int-or-string':true},truth:{type:'boolean',default:true},"
				+ "items:{type:'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['id','kind'],items:"
				+ item + "},tags:{type:'array','x-kubernetes-list-type':'set',items:" + text
				+ "},plain:{type:'array',items:{" + pair
				+ "}},words:{type:'array','x-kubernetes-list-type':'atomic',items:" + text
				+ "},frozen:{'x-kubernetes-map-type':'atomic'," + pair + "},nested:{default:{}," + pair
				+ "},labels:{type:'object',additionalProperties:" + text
				+ "},pairs:{type:'object',additionalProperties:{" + pair
				+ "}},free:{'x-kubernetes-preserve-unknown-fields':true},nothing:{type:'string',nullable:true}}}";
		return List.of(definition("blobs", "Blob", "Namespaced", "{type:'object',properties:{spec:" + spec + "}}"),
				definition("parents", "Parent", "Cluster",
						"{type:'object','x-kubernetes-preserve-unknown-fields':true}"));
	}

	private static ObjectNode definition(String plural, String kind, String scope, String schema) {
		return Trees.parse("{apiVersion:'apiextensions.k8s.io/v1',kind:'CustomResourceDefinition',metadata:{name:'"
				+ plural + ".fuzz.example.com'},spec:{group:'fuzz.example.com',scope:'" + scope + "',names:{plural:'"
				+ plural + "',kind:'" + kind + "'},versions:[{name:'v1',served:true,storage:true,schema:"
				+ "{openAPIV3Schema:" + schema + "}}]}}");
	}

	@Override
	public String toString() {
		return this.type.toString();
	}

}
