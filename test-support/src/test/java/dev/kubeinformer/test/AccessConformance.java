package dev.kubeinformer.test;

import org.junit.jupiter.api.Test;

/**
 * Who may do what: 401 and 403.
 */
abstract class AccessConformance extends Conformance {

	AccessConformance(ApiTarget target) {
		super(target);
	}

	@Test
	void tokenWhenUnknownShouldBeUnauthorized() {
		sendWithoutUser("GET", SECRETS, "Authorization", "Bearer nobody-knows-this").isFailure(401, "Unauthorized",
				"Unauthorized", "");
		sendWithoutUser("GET", "/api", "Authorization", "Bearer nobody-knows-this").hasCode(401);
	}

	@Test
	void verbWhenNotAllowedShouldBeForbidden() {
		String where = " in API group \"\" in the namespace \"NS\"";
		sendAsStranger("GET", SECRETS, "").isFailure(403, "Forbidden",
				"secrets is forbidden: User \"stranger\" cannot list resource \"secrets\"" + where,
				"{kind: 'secrets'}");
		sendAsStranger("GET", SECRETS + "?watch=true", "").isFailure(403, "Forbidden",
				"secrets is forbidden: User \"stranger\" cannot watch resource \"secrets\"" + where,
				"{kind: 'secrets'}");
		sendAsStranger("GET", SECRETS + "/a", "").isFailure(403, "Forbidden",
				"secrets \"a\" is forbidden: User \"stranger\" cannot get resource \"secrets\"" + where,
				"{name: 'a', kind: 'secrets'}");
		sendAsStranger("POST", SECRETS, Answer.parse(secret("a", "{}", "1")).toString()).isFailure(403, "Forbidden",
				"secrets is forbidden: User \"stranger\" cannot create resource \"secrets\"" + where,
				"{kind: 'secrets'}");
		sendAsStranger("DELETE", SECRETS + "/a", "").isFailure(403, "Forbidden",
				"secrets \"a\" is forbidden: User \"stranger\" cannot delete resource \"secrets\"" + where,
				"{name: 'a', kind: 'secrets'}");
		sendAsStranger("DELETE", SECRETS, "").isFailure(403, "Forbidden",
				"secrets is forbidden: User \"stranger\" cannot deletecollection resource \"secrets\"" + where,
				"{kind: 'secrets'}");
	}

	@Test
	void verbWhenNotAllowedInClusterShouldSaySo() {
		sendAsStranger("GET", "/api/v1/secrets", "").isFailure(403, "Forbidden",
				"secrets is forbidden: User \"stranger\" cannot list resource \"secrets\" in API group \"\" at the "
						+ "cluster scope",
				"{kind: 'secrets'}");
		sendAsStranger("GET", "/apis/apps/v1/deployments", "").isFailure(403, "Forbidden",
				"deployments.apps is forbidden: User \"stranger\" cannot list resource \"deployments\" in API group "
						+ "\"apps\" at the cluster scope",
				"{group: 'apps', kind: 'deployments'}");
		sendAsStranger("GET", NAMESPACE, "").isFailure(403, "Forbidden",
				"namespaces \"NS\" is forbidden: User \"stranger\" cannot get resource \"namespaces\" in API group \"\" "
						+ "in the namespace \"NS\"",
				"{name: 'NS', kind: 'namespaces'}");
	}

	@Test
	void subresourceWhenNotAllowedShouldBeForbidden() {
		sendAsStranger("GET", DEPLOYMENTS + "/d/status", "").isFailure(403, "Forbidden",
				"deployments.apps \"d\" is forbidden: User \"stranger\" cannot get resource \"deployments/status\" in "
						+ "API group \"apps\" in the namespace \"NS\"",
				"{name: 'd', group: 'apps', kind: 'deployments'}");
	}

}
