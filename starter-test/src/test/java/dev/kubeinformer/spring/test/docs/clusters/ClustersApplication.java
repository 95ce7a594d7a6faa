package dev.kubeinformer.spring.test.docs.clusters;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The application whose tests are on the page.
 */
@SpringBootApplication
class ClustersApplication {

}
